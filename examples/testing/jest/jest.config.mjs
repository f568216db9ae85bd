/** With Jest: `npm install --save-dev objectry jsforce jest`, then `npx jest`. All files share one org, which is started once. */
export default {
  globalSetup: './start-org.mjs',
  globalTeardown: './stop-org.mjs',
  // One org: files one after the other.
  maxWorkers: 1,
}
