import { actorId, type Actor } from '../context.ts'

/** A request of an organization's token or user. */
export interface LoggedRequest {
  readonly organizationId: string
  readonly id: string
  readonly createdAt: Date
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly actorType: Actor['kind']
  readonly actorId: string
}

/** A request as the HTTP layer knows it. */
export interface AnsweredRequest {
  readonly organizationId: string
  readonly actor: Actor
  readonly method: string
  /** The route with parameters of the form `:name`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly durationMs: number
}

/** Reading the log is not logged: a page that shows the newest requests would add them all the time. */
const unlogged = /^\/v1\/requests(?:\/|$)/

/** Returns the row of a request; null if it is not kept. */
export function loggedRequest({ organizationId, actor, method, route, params, status, durationMs }: AnsweredRequest): LoggedRequest | null {
  const id = actor.requestId.slice(-36)
  if (unlogged.test(route)) return null
  return {
    organizationId,
    id,
    createdAt: arrivalOf(id),
    method,
    route: route.replace(parameter, '{$1}'),
    path: route.replace(parameter, (_whole, name: string) => idOrName(params[name] ?? '', name)),
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    actorType: actor.kind,
    actorId: actorId(actor),
  }
}

/** Returns the time of a request id, a UUIDv7. */
export const arrivalOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

const parameter = /:(\w+)/g

/** Other values than ids could be personal data, such as an email address in place of an id. */
const idOrName = (value: string, name: string): string => (anyId.test(value) ? value : `{${name}}`)

const anyId = /^(?:[a-z]{2,4}_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
