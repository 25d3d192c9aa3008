import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { AnswerError } from './errors.ts'

/** Returns the methods that a path has routes for, in no order; empty for a path without a route. */
type MethodsOf = (path: string) => string[]

/** Learns the path and method of every route that is registered after this call. */
export function knownPaths(app: FastifyInstance): MethodsOf {
  const known = new Map<string, { form: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { form: formOf(url), methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    known.set(url, entry)
  })
  return (path) => [...new Set([...known.values()].flatMap(({ form, methods }) => (form.test(path) ? [...methods] : [])))]
}

const formOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace('*', '.*')
      .replace(/:\w+/g, '[^/]*')}$`,
  )

/**
 * Answers a request that no route takes: OPTIONS with the methods of its path, another method with 405 and `Allow`
 * (RFC 9110, section 15.5.6), an unknown path with 404.
 */
export function answerUnknown(
  methodsOf: MethodsOf,
  answerError: AnswerError,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const refused = (error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    answerError(error, request, reply)
    return reply
  }
  return (request, reply) => {
    const { method } = request
    const [path = ''] = request.url.split('?', 1)
    const methods = methodsOf(path)
    if (methods.length === 0 || methods.includes(method))
      return refused(new AppError('not_found', `there is no ${method} ${path}`), request, reply)
    const allowed = [...new Set([...methods, 'OPTIONS'])].toSorted().join(', ')
    reply.header('Allow', allowed)
    if (method === 'OPTIONS') return reply.code(204).send()
    return refused(new AppError('method_not_allowed', `${path} does not take ${method}, but ${allowed}`), request, reply)
  }
}
