PROJECT = {"Name": "Site", "Code__c": "P-1", "Start__c": "2026-03-02"}


def test_a_project_has_a_kick_off_on_its_first_day(org):
    assert org.call("POST", "/sobjects/Project__c", PROJECT)[0] == 201
    status, result = org.call("GET", "/query?q=SELECT+Title__c,Due__c+FROM+Milestone__c")
    assert status == 200
    [milestone] = result["records"]
    assert (milestone["Title__c"], milestone["Due__c"]) == ("Kick-off", "2026-03-02")


def test_a_code_is_given_once(org):
    assert org.call("POST", "/sobjects/Project__c", PROJECT)[0] == 201
    status, errors = org.call("POST", "/sobjects/Project__c", PROJECT)
    assert (status, errors[0]["errorCode"]) == (400, "DUPLICATE_VALUE")


def test_nothing_is_left_of_the_tests_before(org):
    assert org.call("GET", "/query?q=SELECT+COUNT()+FROM+Project__c")[1]["totalSize"] == 0


def test_the_same_with_simple_salesforce(sf):
    sf.Project__c.create(PROJECT)
    [milestone] = sf.query("SELECT Title__c FROM Milestone__c")["records"]
    assert milestone["Title__c"] == "Kick-off"
