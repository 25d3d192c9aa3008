import { z } from 'zod'
import { route } from './route.ts'
import { idInput } from './schemas.ts'

export const certificates = {
  get: route({
    method: 'GET',
    path: '/v1/proposals/{id}/certificate',
    summary: 'Download the certificate of a completed proposal',
    answer: 'The certificate as a JSON file.',
    description:
      'Proves the acceptance, its content and its time: canonical JSON (RFC 8785) with an Ed25519 signature under one of the public keys at `/.well-known/groundwork-keys.json`. `groundwork verify` and the page `/verify` check it, and docs/certificates.md specifies it. The same bytes each time, so their SHA-256 is the hash that the next certificate of the organization contains. 404 before the proposal is completed, and after it was erased with its contact and the years of `RETAIN_CONTRACTS_YEARS`.',
    scope: 'proposals:read',
    params: z.object({ id: idInput('prp') }),
    status: 200,
    file: true,
  }),
}
