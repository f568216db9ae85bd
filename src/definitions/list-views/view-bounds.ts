/** Characters of the logic of a list view in source format: more than any has. It bounds the depth of its expression too. */
export const MAX_BOOLEAN_FILTER = 1000

/** Values of a filter of a list view in source format: more than it can be given there. */
export const MAX_FILTER_VALUES = 1000
