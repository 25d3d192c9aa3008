import type { Api, Route } from './route.ts'

/** Whether it answers one record: what an ETag can name a version of. */
export const isRecord = (route: Route): boolean => route.method === 'GET' && route.path.endsWith('}') && route.reply !== undefined

/** Whether it is asked on behalf of an organization, by its token or a member of it. */
export const ofOrganization = (route: Route): boolean => route.scope !== 'public' && route.scope !== 'session'

/**
 * Whether the answer to a request of this kind is kept under its Idempotency-Key. A POST that only reads ignores the key:
 * a kept answer would return content that was deleted since.
 */
export const takesIdempotencyKey = (route: Route): boolean => route.method === 'POST' && !route.reads && ofOrganization(route)

/**
 * The route that answers the record which this one changes, with its names in the table: the record's path itself, or that
 * path and one word (`/send`). Undefined where there is no such record: a change of it can be made to depend on its ETag.
 */
export function changedRecord(api: Api, route: Route): { resource: string; verb: string; route: Route } | undefined {
  if (route.method === 'GET' || route.reads || !route.scope.endsWith(':write')) return undefined
  const routes = Object.entries(api).flatMap(([resource, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => ({ resource, verb, route: each })),
  )
  // What is posted to a collection becomes a new record and changes none.
  const collection = routes.some(({ route: each }) => each.method === 'GET' && each.path === route.path && !isRecord(each))
  const paths = route.method === 'POST' && !collection ? [route.path, route.path.replace(/\/[\w-]+$/, '')] : [route.path]
  return routes.find(({ route: each }) => isRecord(each) && paths.includes(each.path))
}

/**
 * The path that answers what a 201 of this route has created, with parameters in braces: those of the route, and `{id}` for
 * the id of the reply. Undefined for a route that creates nothing.
 */
export const createdPath = ({ status, location, path }: Route): string | undefined =>
  status === 201 ? (location ?? `${path}/{id}`) : undefined

/** Whether its answer is a record as its GET answers it, and so carries the record's ETag. */
export const answersRecord = (api: Api, route: Route): boolean =>
  route.reply !== undefined &&
  !route.stream &&
  Object.values(api).some((verbs) => Object.values(verbs).some((each) => isRecord(each) && each.reply === route.reply))
