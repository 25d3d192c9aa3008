import { queryOptions } from '@tanstack/react-query'
import { askAuth } from './ask.ts'

/** A session in the response of the authentication endpoints. */
export interface ListedSession {
  id: string
  token: string
  createdAt: string
  userAgent: string | null
  ipAddress: string | null
}

export const sessionsKey = ['sessions']

/** The sessions of the user, with the session of this browser first. */
export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: async () => {
    const [sessions, current] = await Promise.all([
      askAuth<ListedSession[]>('/list-sessions'),
      askAuth<{ session: { id: string } } | null>('/get-session'),
    ])
    const isHere = ({ id }: ListedSession): boolean => id === current?.session.id
    return sessions
      .map((session) => ({ ...session, here: isHere(session) }))
      .toSorted((a, b) => Number(b.here) - Number(a.here) || b.createdAt.localeCompare(a.createdAt))
  },
})
