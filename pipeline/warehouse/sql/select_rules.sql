SELECT rules_id, rules_sha256 FROM rules;
