export default () => globalThis.testOrg.stop()
