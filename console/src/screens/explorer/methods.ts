/** The methods that a call may have. */
export const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']
