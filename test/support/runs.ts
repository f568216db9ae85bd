const effort = Number(process.env.PROPERTY_EFFORT ?? 1)

/** True if more examples are tried than in `npm test`: long ones then report their progress. */
export const isSoak = effort > 1

/**
 * How many examples a property tries: `usual` in `npm test`, more with PROPERTY_EFFORT, as in `npm run soak -- properties`.
 */
export const runs = (usual: number): number => Math.ceil(usual * effort)
