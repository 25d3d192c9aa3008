import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut, mayPass } from './errors.ts'
import { goToSignIn } from './session.ts'

/** Added to the three attempts that the SDK makes within a few seconds. Covers a restart of the server. */
const maxRetries = 3
/** Events invalidate stale queries earlier. */
const staleMs = 30_000

const leaveWhenSignedOut = (error: Error): void => {
  if (isSignedOut(error)) goToSignIn()
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: { staleTime: staleMs, retry: (count, error) => count < maxRetries && mayPass(error) },
    },
  })
