// Run by `npm ci`: makes what shortens a start. It is JavaScript for any version of Node, and never fails an installation:
// without a bundle, the sources run.
try {
  const { makeBundle } = await import('./bundle.ts')
  await makeBundle()
} catch (error) {
  console.warn(
    `Objectry starts from its sources, which takes longer: no bundle could be made (${String(error).split('\n')[0]}).`,
  )
}
