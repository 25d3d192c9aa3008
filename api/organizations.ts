import { z } from 'zod'
import { OwnOrganization } from './people.ts'
import { route } from './route.ts'
import { currencyInput, idOutput, text, Timestamp } from './schemas.ts'

/** Names that addresses of the dashboard have for other things. */
const reservedSlugs = ['sign-in', 'setup', 'account', 'organizations', 'invitation', 'forgot-password', 'reset-password', 'assets']

const slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, in words divided by single hyphens')
  .refine((value) => !reservedSlugs.includes(value), 'is reserved')
  .meta({ minLength: 1, not: { enum: reservedSlugs } })

export const Organization = z
  .object({
    id: idOutput('org'),
    name: z.string(),
    slug: z.string(),
    defaultCurrency: z.string().meta({ description: 'ISO 4217; of proposals that name none', examples: ['EUR'] }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Organization' })
export type Organization = z.input<typeof Organization>

const CreateOrganization = z.strictObject({ name: text(1, 200) }).meta({ id: 'CreateOrganization', examples: [{ name: 'Example Ltd' }] })
export type CreateOrganization = z.output<typeof CreateOrganization>

const UpdateOrganization = z
  .strictObject({ name: text(1, 200), slug, defaultCurrency: currencyInput })
  .partial()
  .meta({ id: 'UpdateOrganization', examples: [{ name: 'Example Ltd', defaultCurrency: 'EUR' }] })
export type UpdateOrganization = z.output<typeof UpdateOrganization>

export const organizations = {
  create: route({
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Found an organization',
    description: 'Whoever is signed in becomes its owner.',
    scope: 'session',
    body: CreateOrganization,
    status: 201,
    location: '/v1/organization',
    reply: OwnOrganization,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/organization',
    summary: 'Get the organization that the token or the session acts for',
    scope: 'organization:read',
    status: 200,
    reply: Organization,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/organization',
    summary: 'Change the organization',
    description: 'A new slug changes the addresses of its pages. 409 for one that another organization has.',
    scope: 'organization:write',
    body: UpdateOrganization,
    status: 200,
    reply: Organization,
    errors: ['conflict'],
  }),
}
