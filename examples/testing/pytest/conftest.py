"""An org for tests in Python: a server for all of them, put back to where it was before each.

    npm install --save-dev objectry
    pip install pytest simple-salesforce
    pytest
"""

import json
import os
import re
import subprocess
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

DEPLOYMENT = Path(__file__).parent / "../../deployment"


def find_command():
    """The command of the npm package in this folder or one above: npx would not pass on the signal that ends it."""
    for folder in Path(__file__).resolve().parents:
        command = folder / "node_modules/.bin/objectry"
        if command.exists():
            return str(command)
    raise FileNotFoundError("npm install --save-dev objectry")


class Org:
    def __init__(self, url, token):
        self.url = url
        self.token = token

    def call(self, method, path, body=None):
        """A call with the token: the status, and what the answer says."""
        address = path if path.startswith(("/services", "/setup")) else "/services/data/v64.0" + path
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.url + address, data, headers, method=method), timeout=60) as answer:
                status, text = answer.status, answer.read()
        except HTTPError as error:
            status, text = error.code, error.read()
        return status, json.loads(text) if text else None

    def setup(self, method, path, body=None):
        status, answer = self.call(method, "/setup/orgs/current/" + path, body)
        assert status < 300, answer


@pytest.fixture(scope="session")
def server():
    """Starts Objectry in memory on a free port, with the deployment; it is gone at the end."""
    environment = {
        **os.environ,
        "PORT": "0",
        "SITE_PORT": "off",
        "OBJECTRY_DATA": "memory",
        "OBJECTRY_DEPLOYMENT": str(DEPLOYMENT),
        "OBJECTRY_CLIENT_ID": "tests",
        "OBJECTRY_CLIENT_SECRET": "only-for-tests",
        "OBJECTRY_ALLOCATION": "unlimited",
        "OBJECTRY_LOG_LEVEL": "warn",
    }
    process = subprocess.Popen([find_command(), "serve"], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        url = None
        for line in process.stdout:
            found = re.search(r"ready at (http://\S+)", line)
            if found:
                url = found[1]
                break
        assert url, "Objectry did not start: what it said is above"
        form = b"grant_type=client_credentials&client_id=tests&client_secret=only-for-tests"
        with urlopen(url + "/services/oauth2/token", form, timeout=60) as answer:
            org = Org(url, json.load(answer)["access_token"])
        org.setup("PUT", "snapshots/clean")
        yield org
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def org(server):
    """The org as it was at the start."""
    server.setup("POST", "restore", {"snapshot": "clean"})
    return server


@pytest.fixture
def sf(org):
    """The same org behind simple-salesforce."""
    simple_salesforce = pytest.importorskip("simple_salesforce")
    return simple_salesforce.Salesforce(instance_url=org.url, session_id=org.token, version="64.0")
