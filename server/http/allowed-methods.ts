import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { SendError } from './errors.ts'

/** Returns the methods of a path in any order; empty for an unknown path. */
type MethodsOf = (path: string) => string[]

/** Records the path and methods of every route registered after this call. */
export function trackRoutes(app: FastifyInstance): MethodsOf {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    known.set(url, entry)
  })
  return (path) => [...new Set([...known.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])))]
}

const pathPattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace('*', '.*')
      .replace(/:\w+/g, '[^/]*')}$`,
  )

/**
 * Handles requests without a matching route: OPTIONS lists the methods of the path, other methods get 405 with `Allow` (RFC
 * 9110, section 15.5.6), and unknown paths get 404.
 */
export function unknownRouteHandler(
  methodsOf: MethodsOf,
  sendError: SendError,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const sendRefusal = (error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    sendError(error, request, reply)
    return reply
  }
  return (request, reply) => {
    const { method } = request
    const [path = ''] = request.url.split('?', 1)
    const methods = methodsOf(path)
    if (methods.length === 0 || methods.includes(method))
      return sendRefusal(new AppError('not_found', `There is no route ${method} ${path}.`), request, reply)
    const allowed = [...new Set([...methods, 'OPTIONS'])].toSorted().join(', ')
    reply.header('Allow', allowed)
    if (method === 'OPTIONS') return reply.code(204).send()
    return sendRefusal(new AppError('method_not_allowed', `${path} does not support ${method}. It supports ${allowed}.`), request, reply)
  }
}
