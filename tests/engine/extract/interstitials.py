"""Stand-ins of known vendors, written by hand from the markers their pages are known by, and what full pages carry of them.

Names, ids and keys are made up; only what a vendor's pages have in common is theirs.
"""

from collections.abc import Mapping

__all__ = ["ON_FULL_PAGES", "STAND_INS"]

STAND_INS: Mapping[str, tuple[str, str]] = {
    "cloudflare-managed-challenge": (
        "challenge",
        """<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="refresh" content="390"></head>
        <body><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">
        Enable JavaScript and cookies to continue</span></div></noscript></div></div><script>(function(){window._cf_chl_opt =
        {cvId: '3',cType: 'managed',cRay: '8aaa'};var a=document.createElement('script');
        a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8aaa';}());</script></body></html>""",
    ),
    "cloudflare-challenge-in-german": (
        "challenge",
        """<html lang="de-DE"><head><title>Nur einen Moment…</title></head><body><h1 class="zone-name-title">shop.example</h1>
        <p id="wGGw5">Bestätigen Sie, dass Sie ein Mensch sind. Dies kann einige Sekunden dauern.</p>
        <script>window._cf_chl_opt={cType:'non-interactive'}</script></body></html>""",
    ),
    "cloudflare-block": (
        "block",
        """<html><head><title>Attention Required! | Cloudflare</title></head><body><div id="cf-wrapper"><div id="cf-error-details">
        <h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2>You are unable to access shop.example</h2>
        <p>This website is using a security service to protect itself from online attacks.</p>
        <p>Cloudflare Ray ID: <strong>8aaa</strong> Your IP: 192.0.2.1</p></div></div></body></html>""",
    ),
    "cloudflare-rate-limit": (
        "block",
        """<html><head><title>Access denied | shop.example used Cloudflare to restrict access</title></head><body>
        <div id="cf-error-details"><h1>Error 1015</h1><h2>You are being rate limited</h2></div></body></html>""",
    ),
    "cloudflare-waiting-room": (
        "waiting_room",
        """<html><head><title>Waiting Room powered by Cloudflare</title><meta http-equiv="refresh" content="20"></head><body>
        <h1>You are now in line.</h1><p>Your estimated wait time is 12 minutes.</p><p>This page will refresh by itself.</p></body></html>""",
    ),
    "akamai-denied": (
        "block",
        """<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access
        "http&#58;&#47;&#47;shop&#46;example&#47;anvil" on this server.<P>Reference&#32;&#35;18&#46;2f1c1002&#46;1730000000&#46;1a2b3c
        <P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18</BODY></HTML>""",
    ),
    "akamai-challenge": (
        "challenge",
        """<html><head><meta http-equiv="refresh" content="5; URL='/anvil?bm-verify=AAQAAAAJ'" /></head><body>
        <script>var i = 1730000000; var j = i + Number("12" + "34");</script></body></html>""",
    ),
    "akamai-behavioural-challenge": (
        "challenge",
        """<html><head><title>&nbsp;</title></head><body><div id="sec-if-cpt-container"></div>
        <script src="/_sec/cp_challenge/ak-challenge-4-3.htm"></script><p>Powered and protected by</p></body></html>""",
    ),
    "imperva-block": (
        "block",
        """<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body style="margin:0px;height:100%">
        <iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23&incident_id=1-2&edet=12&cinfo=ffff" frameborder=0>Request
        unsuccessful. Incapsula incident ID: 1-2</iframe></body></html>""",
    ),
    "imperva-script-challenge": (
        "challenge",
        """<html><head><meta name="robots" content="noindex"></head><body><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e">
        </script></body></html>""",
    ),
    "imperva-interruption": (
        "challenge",
        """<html><head><title>Pardon Our Interruption</title><script>var isSpa=false;function onProtectionInitialized(p){}</script></head>
        <body><h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot.</p></body>""",
    ),
    "datadome": (
        "captcha",
        """<html lang="en"><head><title>shop.example</title></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad
        blocker</p><script data-cfasync="false">var dd={'rt':'c','cid':'AHrl','hsh':'A1','t':'fe','host':'geo.captcha-delivery.com'}</script>
        <script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>""",
    ),
    "perimeterx": (
        "captcha",
        """<html lang="en"><head><title>Access to this page has been denied</title></head><body><section class="container"><div
        class="customer-logo-wrapper"></div><div class="content-wrapper"><h1>Please verify you are a human</h1><div id="px-captcha"></div>
        <p>Reference ID 0a1b</p></div></section><script>window._pxAppId='PX1';window._pxBlockScript='/captcha/captcha.js?a=c'</script></body></html>""",
    ),
    "human-press-and-hold": (
        "captcha",
        """<html lang="fr"><head><title>Boutique</title></head><body><div id="px-captcha-wrapper"><p>Avant de continuer…</p>
        <p>Appuyez et maintenez le bouton pour confirmer que vous êtes humain.</p></div></body></html>""",
    ),
    "aws-waf-challenge": (
        "challenge",
        """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title></title><script type="text/javascript">window.awsWafCookieDomainList
        = [];window.gokuProps = {"key":"AQ","iv":"D5","context":"g"};</script><script src="https://x.y.eu-west-1.token.awswaf.com/z/challenge.js">
        </script></head><body><div id="challenge-container"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to
        verify that you're not a robot.</noscript></body></html>""",
    ),
    "aws-waf-captcha": (
        "captcha",
        """<html lang="en"><head><title>Human Verification</title><script>window.gokuProps={"key":"AQ"}</script></head><body>
        <div id="captcha-container"></div></body></html>""",
    ),
    "cloudfront-block": (
        "block",
        """<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1><H2>The request could not be
        satisfied.</H2>Request blocked. We can't connect to the server for this app or website at this time.<PRE>Generated by cloudfront
        (CloudFront)</PRE></BODY></HTML>""",
    ),
    "sucuri-block": (
        "block",
        """<html><head><title>Sucuri WebSite Firewall - Access Denied</title></head><body><h1>Access Denied - Sucuri Website Firewall</h1>
        <p>If you are the site owner (or you manage this site), please whitelist your IP.</p><p>Block ID: EXPVP16</p></body></html>""",
    ),
    "sucuri-challenge": (
        "challenge",
        """<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={},sucuri_cloudproxy_js='';
        document.cookie=s;</script></html>""",
    ),
    "ddos-guard": (
        "challenge",
        """<html><head><title>DDOS-GUARD</title></head><body><h1 id="title"></h1><p>Checking your browser before accessing</p>
        <script src="/.well-known/ddos-guard/js-challenge/index.js"></script></body></html>""",
    ),
    "kasada": (
        "challenge",
        """<html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'</script>
        <script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?tkrm_alpekz_s1.3=0a"></script></body></html>""",
    ),
    "f5-block": (
        "block",
        """<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.
        <br><br>Your support ID is: 1234567890123456789<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>""",
    ),
    "f5-challenge": (
        "challenge",
        """<html><head><script>window["bobcmn"]="1011";</script><script src="/TSPD/08aa?type=11"></script>
        <noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 1234567890.</noscript></head><body></body></html>""",
    ),
    "google-sorry": (
        "captcha",
        """<html><head><title>https://www.search.example/search?q=anvil</title></head><body><form id="captcha-form" action="index"
        method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="k"></div><input type='hidden' name='q' value='x'></form>
        <p><b>About this page</b></p><p>Our systems have detected unusual traffic from your computer network.</p></body></html>""",
    ),
    "google-sorry-in-polish": (
        "captcha",
        """<html><head><title>https://www.search.example/</title></head><body><form id="captcha-form" action="index" method="post">
        <div class="g-recaptcha"></div></form><p>Nasze systemy wykryły nietypowy ruch pochodzący z Twojej sieci komputerowej.</p></body></html>""",
    ),
    "amazon-robot-check": (
        "captcha",
        """<html lang="en-us"><head><title dir="ltr">Shop.example</title></head><body><h4>Enter the characters you see below</h4><p>Sorry, we
        just need to make sure you're not a robot.</p><form method="get" action="/errors/validateCaptcha"><input type=hidden name=amzn>
        <img src="https://images.example/captcha/usvm.jpg"><input type=text id=captchacharacters></form></body></html>""",
    ),
    "amazon-continue": (
        "captcha",
        """<html lang="de"><head><title>Shop.example</title></head><body><h4>Klicke auf die Schaltfläche unten, um mit dem Einkauf
        fortzufahren</h4><form method="get" action="/errors/validateCaptcha"><button>Weiter shoppen</button></form></body></html>""",
    ),
    "hcaptcha-wall": (
        "captcha",
        """<html lang="ja"><body><h1>続行するには</h1><form method="post"><div class="h-captcha" data-sitekey="k"></div><input type="submit">
        </form><script src="https://js.hcaptcha.com/1/api.js"></script></body></html>""",
    ),
    "turnstile-wall": (
        "captcha",
        """<html><body><p>Ein kurzer Blick genügt.</p><div class="cf-turnstile" data-sitekey="k"></div></body></html>""",
    ),
    "queue-it": (
        "waiting_room",
        """<html lang="sv"><head><title>Kö</title></head><body data-pageid="queue"><h1 id="lbHeaderP">Nu står du i kö</h1><div
        id="MainPart_divProgressbar"><span id="MainPart_lbWhichIsIn">12 minuter</span></div>
        <script src="//static.queue-it.net/content/x.js"></script></body></html>""",
    ),
    "queue-of-its-own": (
        "waiting_room",
        """<html lang="fr"><head><title>Billetterie</title><meta http-equiv="refresh" content="30"></head><body><h1>Salle d'attente</h1>
        <p>Vous êtes dans la file d'attente. Position : 1204</p></body></html>""",
    ),
    "anubis": (
        "challenge",
        """<html lang="en"><head><title>Making sure you're not a bot!</title><script id="anubis_challenge" type="application/json">{"d":4}
        </script></head><body><h1>Making sure you're not a bot!</h1><p id="status">Loading...</p></body></html>""",
    ),
    "yandex-showcaptcha": (
        "captcha",
        """<html><head><title>Вы не робот?</title></head><body><form action="/checkcaptcha?key=1"><p>Подтвердите, что запросы отправляли
        вы</p></form></body></html>""",
    ),
    "aliyun": (
        "challenge",
        """<html><script>var arg1='3000';function setCookie(n,v){}setCookie("acw_sc__v2",arg1);</script></html>""",
    ),
    "qrator": (
        "challenge",
        """<html><head><script src="/__qrator/qauth_utm_v2.js"></script></head><body></body></html>""",
    ),
    "siteground": (
        "captcha",
        """<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=pow"></head></html>""",
    ),
    "azure-front-door": (
        "block",
        """<html><head><title></title></head><body><h2>The request is blocked.</h2><p>20260302T090000Z-abc</p></body></html>""",
    ),
    "wordfence": (
        "block",
        """<html><head><title>You have been limited</title></head><body><h1>Your access to this site has been limited by the site owner</h1>
        <p>Block Reason: exceeded the maximum number of requests</p><p>Generated by Wordfence</p></body></html>""",
    ),
    "modsecurity": (
        "block",
        """<head><title>Not Acceptable!</title></head><body><h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource
        could not be found on this server. This error was generated by Mod_Security.</p></body></html>""",
    ),
    "vercel": (
        "challenge",
        """<html><head><title>Vercel Security Checkpoint</title></head><body><p>We're verifying your browser</p></body></html>""",
    ),
}
"""By name: the mark that one of its marks is, and the page."""

ON_FULL_PAGES: Mapping[str, str] = {
    "cloudflare": """<script>(function(){var d='/cdn-cgi/challenge-platform/scripts/jsd/main.js'})()</script>
        <div class="cf-turnstile" data-sitekey="k"></div>""",
    "akamai": """<script src="/akam/13/1a2b3c" defer></script><noscript><img src="/akam/13/pixel_1a2b?a=b"></noscript>""",
    "imperva": """<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e" async></script>""",
    "datadome": """<link rel=preconnect href="https://geo.captcha-delivery.com"><script src="https://js.datadome.co/tags.js"></script>
        <script>window.ddjskey='A1';window.ddoptions={};</script>""",
    "perimeterx": """<script>window._pxAppId='PX1';window._pxParam1='shop';</script><script src="/PX1/init.js"></script>""",
    "aws": """<script src="https://x.y.eu-west-1.token.awswaf.com/z/challenge.js" defer></script>
        <script>AwsWafIntegration.getToken().then(t=>fetch('/api',{headers:{'x-aws-waf-token':t}}))</script>""",
    "kasada": """<script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>""",
    "f5": """<script src="/TSPD/08aa?type=7"></script>""",
    "radware": """<script>ssc.host='https://validate.perfdrive.com'</script><script src="/18f5/stormcaster.js"></script>""",
    "recaptcha": """<form action=/newsletter><input type=email><div class=g-recaptcha></div></form>""",
    "hcaptcha": """<form action=/ask><textarea></textarea><div class="h-captcha"></div></form><script src="https://js.hcaptcha.com/1/api.js"></script>""",
    "queue-it": """<script data-queueit-c="shop" src="https://static.queue-it.net/script/queueclient.min.js"></script>
        <script src="https://static.queue-it.net/script/queueconfigloader.min.js"></script>""",
    "login in the header": """<form action=/login><input name=user><input type=password></form>""",
    "a script that talks of robots": """<script>var t="Just a moment... verify you are human";</script>""",
    "a skeleton that is still there": """<div class="reviews-skeleton"></div>""",
}
"""By vendor: what full pages carry."""
