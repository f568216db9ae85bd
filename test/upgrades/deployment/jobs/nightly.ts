interface Org {
  create(object: string, records: readonly object[]): Promise<unknown>
}

export default {
  cron: '0 3 * * *',
  async run(_payload: unknown, org: Org) {
    await org.create('Account', [{ Name: 'Made by a job' }])
  },
}
