import { z } from 'zod'
import { regionFields } from './region.ts'
import { Role } from './roles.ts'
import { route } from './route.ts'
import { createdAt, idOutput, lengthFrom, text } from './schemas.ts'
import { scopes } from './scopes.ts'

/** The email address of a user. */
export const emailAddress = z
  .string()
  .meta({
    description: 'Email address, in any case. At most 254 characters.',
    format: 'email',
    pattern: z.regexes.email.source,
    maxLength: 254,
  })
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an email address'))

/** Long enough to resist guessing; bounded because the cost of hashing grows with the length. */
export const password = z
  .string()
  .check(lengthFrom(12, 128))
  .meta({ description: 'Password, 12 to 128 characters.', minLength: 12, maxLength: 128, format: 'password' })

export const personName = text(1, 200).meta({ description: 'Name of the user, shown to other members.' })

const User = z
  .object({
    id: idOutput('usr'),
    name: z.string().describe('Name of the user, shown to other members.'),
    email: z.string().describe('Email address for signing in, in lower case.'),
    emailVerified: z.boolean().describe('Whether the user has proved control of the email address.'),
    twoFactorEnabled: z.boolean().describe('Whether signing in also needs a second factor.'),
    createdAt,
  })
  .meta({ id: 'User', description: 'A person with an account.' })

export const OwnOrganization = z
  .object({
    id: idOutput('org'),
    name: z.string().describe('Name of the organization.'),
    slug: z.string().meta({ description: 'Short name in URLs of the dashboard. Unique.', examples: ['example-ltd'] }),
    role: Role,
    scopes: z.array(z.enum(scopes)).describe('Permissions of the role.'),
    lastEventId: idOutput('evt')
      .nullable()
      .describe(
        'Newest event of the organization; null if there is none. A stream that continues after it has every event since this response.',
      ),
  })
  .meta({ id: 'OwnOrganization', description: 'An organization of the signed-in user, with the role in it.' })
export type OwnOrganization = z.input<typeof OwnOrganization>

export const Me = z
  .object({ user: User, organizations: z.array(OwnOrganization).describe('Organizations of the user, by name.') })
  .meta({ id: 'Me', description: 'The signed-in user.' })
export type Me = z.input<typeof Me>

export const SetUp = z
  .strictObject({
    token: text(1, 200).meta({ description: 'Token in the setup URL that the program printed when it started.' }),
    name: personName,
    email: emailAddress,
    password,
    organizationName: text(1, 200).meta({ description: 'Name of the first organization, an existing one or a new one.' }),
    ...regionFields,
  })
  .meta({
    id: 'SetUp',
    description: 'The first user and the first organization.',
    examples: [{ token: '…', name: 'Robin', email: 'robin@example.com', password: 'a long pass phrase', organizationName: 'Example Ltd' }],
  })
export type SetUp = z.output<typeof SetUp>

export const people = {
  me: route({
    method: 'GET',
    path: '/v1/me',
    summary: 'Get the signed-in user',
    description: 'Returns the user of the session with all organizations of that user.',
    answer: 'The user of the session.',
    scope: 'session',
    status: 200,
    reply: Me,
  }),
  setupNeeded: route({
    method: 'GET',
    path: '/v1/setup',
    summary: 'Get the setup state and the sign-in methods',
    answer: 'The setup state and the sign-in methods.',
    scope: 'public',
    query: z.strictObject({}),
    status: 200,
    reply: z
      .object({
        needed: z.boolean().describe('Whether the first user still has to be created.'),
        oidcHost: z
          .string()
          .nullable()
          .meta({
            description: 'Host of the OpenID Connect provider for signing in; null if only passwords are possible.',
            examples: ['login.example.com'],
          }),
      })
      .meta({ id: 'SetupNeeded', description: 'The setup state and the sign-in methods.' }),
  }),
  setUp: route({
    method: 'POST',
    path: '/v1/setup',
    summary: 'Create the first user and sign in',
    answer: 'Created. The user is signed in.',
    description:
      'Needs the token of the setup URL that the program prints at its start while no user exists; only the newest one works. The user becomes the owner of the organization: an existing one with this name that was created on the command line, or a new one. The response sets a session cookie. 404 for a wrong token, 409 once a user exists.',
    scope: 'public',
    body: SetUp,
    status: 201,
    location: '/v1/me',
    reply: Me,
    headers: { 'Set-Cookie': 'Cookie of the new session.' },
    errors: ['not_found', 'conflict', 'rate_limited'],
  }),
}
