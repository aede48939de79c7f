SELECT rules_id, rules_sha256, rules_json FROM rules;
