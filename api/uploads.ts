import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, text, Timestamp, wholeNumber } from './schemas.ts'

/** Maximum size of an upload in bytes: 200 MB. */
export const maxUploadBytes = 200_000_000

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w-]+=(?:"[^"]*"|[\w.+-]+))*$/

const CreateUpload = z
  .strictObject({
    fileName: text(1, 255).meta({
      description: 'Name of the file with its extension, which helps to detect its format. At most 255 characters.',
    }),
    contentType: text(1, 200)
      .refine((value) => mediaType.test(value), 'must be a media type such as application/pdf')
      .meta({ pattern: mediaType.source, examples: ['application/pdf'] })
      .default('application/octet-stream')
      .meta({ description: 'Media type of the file. The format is detected from the content as well.' }),
    sizeBytes: wholeNumber(0, maxUploadBytes).meta({ description: 'Exact size of the file in bytes, at most 200 MB.' }),
  })
  .meta({
    id: 'CreateUpload',
    description: 'The file to upload.',
    examples: [{ fileName: 'handbook.pdf', contentType: 'application/pdf', sizeBytes: 482133 }],
  })
export type CreateUpload = z.output<typeof CreateUpload>

export const Upload = z
  .object({
    id: idOutput('upl'),
    uploadUrl: z.string().describe('URL for sending the bytes, with `method` and `headers`. It needs no token: keep it secret.'),
    method: z.literal('PUT').describe('HTTP method of the request with the bytes.'),
    headers: z.record(z.string(), z.string()).describe('Headers that the request with the bytes must have.'),
    storageUrl: z
      .string()
      .describe(
        'Reference to the file, for adding a source by `expiresAt` once the bytes were received. The file is kept as long as a source uses it.',
      ),
    expiresAt: Timestamp.describe('Time at which `uploadUrl`, and an upload without a source, expire: UTC with milliseconds.'),
  })
  .meta({ id: 'Upload', description: 'A new upload with the request that sends its bytes.' })
export type Upload = z.input<typeof Upload>

export const UploadStatus = z
  .object({
    id: idOutput('upl'),
    fileName: z.string().describe('Name of the file.'),
    contentType: z.string().meta({ description: 'Media type given at the creation.', examples: ['application/pdf'] }),
    sizeBytes: z.number().int().describe('Size of the file in bytes.'),
    storageUrl: z.string().describe('Reference to the file, for adding a source.'),
    receivedAt: Timestamp.nullable().describe('Time at which the bytes were last received; null before.'),
    expiresAt: Timestamp.describe('Time at which the upload expires unless a source uses it: UTC with milliseconds.'),
    createdAt,
  })
  .meta({ id: 'UploadStatus', description: 'The state of an upload.' })
export type UploadStatus = z.input<typeof UploadStatus>

export const uploads = {
  create: route({
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Create an upload',
    description:
      'Send the bytes to `uploadUrl` next, then give the `storageUrl` to a new source, or to an image or attached PDF of a proposal. Tokens need `sources:write` or `proposals:write`. 403 `quota_exceeded` if `sizeBytes` exceeds the rest of the storage quota.',
    scope: 'sources:write',
    otherScopes: ['proposals:write'],
    body: CreateUpload,
    status: 201,
    reply: Upload,
    errors: ['quota_exceeded'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/uploads/{uploadId}',
    summary: 'Get the state of an upload',
    description: 'Does not repeat `uploadUrl`. 404 for an expired upload without a source.',
    scope: 'sources:read',
    params: z.object({ uploadId: idInput('upl') }),
    status: 200,
    reply: UploadStatus,
  }),
  put: route({
    method: 'PUT',
    path: '/v1/uploads/{uploadId}',
    summary: 'Send the bytes of an upload',
    description: '`uploadUrl` is the credential: the request needs no token. 404 after `expiresAt`, 409 if a source uses the file already.',
    scope: 'public',
    params: z.object({
      uploadId: z.string().max(400).meta({ description: 'Signed ticket at the end of `uploadUrl`. It is not the id of the upload.' }),
    }),
    bytes: true,
    status: 204,
    errors: ['not_found', 'conflict', 'payload_too_large', 'bad_request'],
  }),
}
