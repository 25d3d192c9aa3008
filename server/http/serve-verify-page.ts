import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publicSigningKeys } from '../certificates/public-keys.ts'
import type { CoreServices } from '../context.ts'
import { nullIfMissing } from '../lib/missing-file.ts'

/**
 * Serves GET /verify, the page that verifies certificates in the browser. It contains the public keys, so it needs no requests, and
 * its policy allows none: nothing can be uploaded.
 * @param folder output folder of the dashboard's build
 */
export async function serveVerifyPage(app: FastifyInstance, folder: string, services: CoreServices): Promise<void> {
  const page = await readFile(join(folder, 'verify.html'), 'utf8').catch(nullIfMissing)
  app.get('/verify', async (_request, reply) => {
    if (page === null)
      return reply.code(503).type('text/plain; charset=utf-8').send('The page has not been built. Run "npm run build" to build it.\n')
    const keys = escapeAttribute(JSON.stringify(await publicSigningKeys(services)))
    return reply
      .headers({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__NONCE__', '').replace('__SIGNING_KEYS__', () => keys))
  })
}

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
