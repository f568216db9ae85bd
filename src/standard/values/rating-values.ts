export const RATING_VALUES = ['Hot', 'Warm', 'Cold'] as const
