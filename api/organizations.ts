import { z } from 'zod'
import { OwnOrganization } from './people.ts'
import { route } from './route.ts'
import { createdAt, currencyInput, idOutput, text } from './schemas.ts'

/** Path segments that URLs of the dashboard use for other pages. */
const reservedSlugs = ['sign-in', 'setup', 'account', 'organizations', 'invitation', 'forgot-password', 'reset-password', 'assets']

const slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must consist of lower-case letters and digits in words separated by single hyphens')
  .refine((value) => !reservedSlugs.includes(value), 'is reserved')
  .meta({
    description: 'Short name in URLs of the dashboard: lower-case letters, digits and single hyphens. Unique; at most 60 characters.',
    minLength: 1,
    not: { enum: reservedSlugs },
  })

export const Organization = z
  .object({
    id: idOutput('org'),
    name: z.string().describe('Name of the organization.'),
    slug: z.string().meta({ description: 'Short name in URLs of the dashboard. Unique.', examples: ['example-ltd'] }),
    defaultCurrency: z.string().meta({ description: 'Currency of proposals without one (ISO 4217).', examples: ['EUR'] }),
    createdAt,
  })
  .meta({ id: 'Organization', description: 'The tenant that owns all other records.' })
export type Organization = z.input<typeof Organization>

const name = text(1, 200).meta({ description: 'Name of the organization.' })

const CreateOrganization = z
  .strictObject({ name })
  .meta({ id: 'CreateOrganization', description: 'A new organization.', examples: [{ name: 'Example Ltd' }] })
export type CreateOrganization = z.output<typeof CreateOrganization>

const UpdateOrganization = z
  .strictObject({ name, slug, defaultCurrency: currencyInput.meta({ description: 'Currency of proposals without one (ISO 4217).' }) })
  .partial()
  .meta({
    id: 'UpdateOrganization',
    description: 'Changes to the organization. Omitted fields keep their values.',
    examples: [{ name: 'Example Ltd', defaultCurrency: 'EUR' }],
  })
export type UpdateOrganization = z.output<typeof UpdateOrganization>

export const organizations = {
  create: route({
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Create an organization',
    description: 'The signed-in user becomes its owner. 409 if the user already belongs to the maximum number of organizations.',
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
    summary: 'Get the current organization',
    description: 'Returns the organization of the token, or the one that the session acts for.',
    scope: 'organization:read',
    status: 200,
    reply: Organization,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/organization',
    summary: 'Update the current organization',
    description: 'A new `slug` changes the URLs of its dashboard pages. 409 if another organization has the `slug`.',
    scope: 'organization:write',
    body: UpdateOrganization,
    status: 200,
    reply: Organization,
    errors: ['conflict'],
  }),
}
