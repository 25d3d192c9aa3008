import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut, mayPass } from './errors.ts'
import { goToSignIn } from './session.ts'

/** The SDK has tried three times within a few seconds by then: this is for a service that is started again. */
const furtherRetries = 3
/** Events tell what becomes old before that. */
const freshMs = 30_000

const leaveWhenSignedOut = (error: Error): void => {
  if (isSignedOut(error)) goToSignIn()
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: { staleTime: freshMs, retry: (count, error) => count < furtherRetries && mayPass(error) },
    },
  })
