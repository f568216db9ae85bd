#!/bin/sh
# Tests in any language: what startOrg does for TypeScript, with HTTP calls.
#
#   OBJECTRY_CLIENT_ID=tests OBJECTRY_CLIENT_SECRET=secret OBJECTRY_DATA=memory npx objectry serve &
#   OBJECTRY_CLIENT_ID=tests OBJECTRY_CLIENT_SECRET=secret sh curl.sh
set -eu

URL=${URL:-http://127.0.0.1:8080}
DATA=$URL/services/data/v64.0
ORG=$URL/setup/orgs/current

# Takes one text out of a JSON answer.
member() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

# 1. Wait until the server is ready.
curl -s --retry 60 --retry-delay 1 --retry-connrefused --fail -o /dev/null "$URL/readyz"

# 2. Get a token.
TOKEN=$(curl -s --fail "$URL/services/oauth2/token" -d grant_type=client_credentials \
  --data-urlencode "client_id=$OBJECTRY_CLIENT_ID" --data-urlencode "client_secret=$OBJECTRY_CLIENT_SECRET" |
  member access_token)

call() { # method, address, body
  curl -s --fail-with-body -X "$1" "$2" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${3:+-d "$3"}
}

count() { # object
  call GET "$DATA/query?q=SELECT+COUNT()+FROM+$1" | sed 's/.*"totalSize":\([0-9]*\).*/\1/'
}

# 3. Once, before all tests: keep the org as it is.
call PUT "$ORG/snapshots/clean" > /dev/null
echo "accounts before: $(count Account)"

# 4. A test.
ID=$(call POST "$DATA/sobjects/Account" '{"Name":"Acme"}' | member id)
call PATCH "$DATA/sobjects/Account/$ID" '{"Industry":"Energy"}'
echo "the account: $(call GET "$DATA/sobjects/Account/$ID?fields=Name,Industry" | sed 's/"attributes":{[^}]*},//')"
echo "accounts now: $(count Account)"

# 5. After each test: back to where it was.
call POST "$ORG/restore" '{"snapshot":"clean"}' > /dev/null
echo "accounts after: $(count Account)"
