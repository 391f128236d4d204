"""A build tool: openapi_json.py INPUT OUTPUT converts a YAML document to JSON, and keeps the order of members."""
import json
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    document = yaml.safe_load(file)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(document, file, ensure_ascii=False, separators=(",", ":"))
    file.write("\n")
