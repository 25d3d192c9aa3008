import { z } from 'zod'
import type { Api, Route } from './route.ts'
import { onlyInChanges } from './schemas.ts'
import type { Scope } from './scopes.ts'

/** Returns whether the route reads one record, so that its responses can have an ETag. */
export const isRecord = (route: Route): boolean => route.method === 'GET' && route.path.endsWith('}') && route.reply !== undefined

/** Returns the scopes of which a request needs one; none for routes without an organization. */
export const admittingScopes = ({ scope, otherScopes = [] }: Route): Scope[] =>
  scope === 'public' || scope === 'session' ? [] : [scope, ...otherScopes]

/** Returns whether requests act for an organization, with one of its tokens or as a member. */
export const ofOrganization = (route: Route): boolean => route.scope !== 'public' && route.scope !== 'session'

/**
 * Returns whether responses of this route are stored under an Idempotency-Key. A POST that only reads ignores the key: a stored
 * response could return content that was deleted since.
 */
export const takesIdempotencyKey = (route: Route): boolean => route.method === 'POST' && !route.reads && ofOrganization(route)

/**
 * Returns the route that reads the record changed by this one, with its names in the table. It has the same path, or the path
 * without a last word such as `/send`. Undefined if no such record exists. Requests to change it may carry If-Match.
 */
export function changedRecord(api: Api, route: Route): { resource: string; verb: string; route: Route } | undefined {
  if (route.method === 'GET' || route.reads || !route.scope.endsWith(':write')) return undefined
  const routes = Object.entries(api).flatMap(([resource, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => ({ resource, verb, route: each })),
  )
  // A POST to a collection creates a record and changes none.
  const collection =
    createdPath(route) !== undefined &&
    routes.some(({ route: each }) => each.method === 'GET' && each.path === route.path && !isRecord(each))
  const paths = route.method === 'POST' && !collection ? [route.path, route.path.replace(/\/[\w-]+$/, '')] : [route.path]
  return routes.find(({ route: each }) => isRecord(each) && paths.includes(each.path))
}

/**
 * Returns the path of the record that a 201 of this route has created. It has the route's parameters in braces, and `{id}` for
 * the id in the response. Undefined for a route that creates nothing.
 */
export const createdPath = ({ status, location, path }: Route): string | undefined =>
  status === 201 ? (location ?? `${path}/{id}`) : undefined

/** Returns whether the response is a record in the form of its GET, and so carries the record's ETag. */
export const answersRecord = (api: Api, route: Route): boolean =>
  route.reply !== undefined &&
  !route.stream &&
  Object.values(api).some((verbs) => Object.values(verbs).some((each) => isRecord(each) && each.reply === route.reply))

/** Returns the fields that the record has only in answers to changes, so that its ETag does not depend on them. */
export const changeFields = ({ reply }: Route): string[] =>
  reply instanceof z.ZodObject ? Object.keys(reply.shape).filter((name) => onlyInChanges.has(reply.shape[name])) : []
