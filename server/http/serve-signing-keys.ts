import type { FastifyInstance } from 'fastify'
import { publicSigningKeys } from '../certificates/public-keys.ts'
import type { CoreServices } from '../context.ts'

/** Serves the public keys of certificates, without a token. */
export function serveSigningKeys(app: FastifyInstance, services: CoreServices): void {
  app.get('/.well-known/groundwork-keys.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(await publicSigningKeys(services))),
  )
}
