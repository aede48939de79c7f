"""Which addresses a fetch may connect to.

Source: the IANA registries of special-purpose addresses, as of 2026; and, as it is not reserved by anybody, the
one public address at which a cloud answers only its own machines.
"""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

__all__ = ["why_refused"]

_Network = IPv4Network | IPv6Network


def _networks(table: str) -> tuple[tuple[_Network, str], ...]:
    rows = (line.split(maxsplit=1) for line in table.strip().splitlines())
    return tuple((ip_network(network), why) for network, why in rows)


_METADATA = _networks("""
    169.254.169.254/32  metadata of a cloud
    169.254.170.0/24    metadata of a cloud
    100.100.100.200/32  metadata of a cloud
    168.63.129.16/32    metadata of a cloud
    192.0.0.192/32      metadata of a cloud
    fd00:ec2::/32       metadata of a cloud
    fd20:ce::254/128    metadata of a cloud
""")

# What an operator may allow: machines of one's own.
_OWN = _networks("""
    127.0.0.0/8     loopback
    10.0.0.0/8      private
    172.16.0.0/12   private
    192.168.0.0/16  private
    100.64.0.0/10   shared by a provider's customers
    ::1/128         loopback
    fc00::/7        private
""")

_NOBODY = _networks("""
    0.0.0.0/8        unspecified
    169.254.0.0/16   link-local
    192.0.0.0/24     reserved
    192.0.2.0/24     documentation
    192.88.99.0/24   6to4
    198.18.0.0/15    benchmarking
    198.51.100.0/24  documentation
    203.0.113.0/24   documentation
    224.0.0.0/4      multicast
    240.0.0.0/4      reserved
    ::/128           unspecified
    ::/96            embeds an IPv4 address
    64:ff9b::/96     NAT64
    64:ff9b:1::/48   NAT64
    2001::/32        Teredo
    2001::/23        reserved
    2001:db8::/32    documentation
    2002::/16        6to4
    3fff::/20        documentation
    fe80::/10        link-local
    fec0::/10        site-local
    ff00::/8         multicast
""")

_GLOBAL_UNICAST = IPv6Network("2000::/3")  # RFC 4291, section 2.4: the rest of IPv6 is nobody's yet


@lru_cache(maxsize=4096)
def why_refused(address: str, *, allowed: bool = False) -> str | None:
    """Why nothing may connect to this address; None if it may.

    Args:
        address: A literal IPv4 or IPv6 address, perhaps with a zone.
        allowed: The operator allows this host to be private. Link-local, multicast, reserved and metadata
            addresses are refused even so: nobody watches a page there.

    Raises:
        ValueError: It is no literal address.
    """
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    if mapped is not None:
        return why_refused(str(mapped), allowed=allowed)
    for network, why in (*_METADATA, *_OWN, *_NOBODY):
        if ip.version == network.version and ip in network:
            return None if allowed and (network, why) in _OWN else why
    if isinstance(ip, IPv6Address) and ip not in _GLOBAL_UNICAST:
        return "reserved"
    return None
