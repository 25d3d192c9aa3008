import { queryOptions } from '@tanstack/react-query'
import { sessionClient } from '../lib/session.ts'

/** Whether setup is needed, and the identity provider for sign-in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => sessionClient().setup.get({ signal }),
})
