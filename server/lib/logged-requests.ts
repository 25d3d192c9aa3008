/** Which requests have a line in the log: all, those with an error (status 400 or higher), or none. */
export const loggedRequests = ['all', 'errors', 'none'] as const

export type LoggedRequests = (typeof loggedRequests)[number]

export const isLogged = (logged: LoggedRequests, status: number): boolean => logged === 'all' || (logged === 'errors' && status >= 400)
