import { queryOptions } from '@tanstack/react-query'
import { sessionClient } from '../lib/session.ts'

/** Whether the first user is still to be made, and how people sign in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => sessionClient().setup.get({ signal }),
})
