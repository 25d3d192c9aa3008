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
  erased: route({
    method: 'GET',
    path: '/v1/certificates/erased',
    summary: 'Download the links of erased certificates',
    answer: 'The links as a JSON file.',
    description:
      'Lists the certificates whose proposals were erased after the years of `RETAIN_CONTRACTS_YEARS`, by number, without content: canonical JSON with the hash of each file and of the one before it. `groundwork verify` and the page `/verify` take it beside other certificates, to check their chain without the erased ones.',
    scope: 'proposals:read',
    status: 200,
    file: true,
  }),
}
