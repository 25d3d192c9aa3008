export const transferUsage = `organizations export NAME FILE: writes one organization with its ids, files and vectors in one consistent state to FILE, a path or
s3://BUCKET/NAME?endpoint=…. Groundwork may be running. The organization stays: delete it after its import elsewhere.

  --key-file PATH      encrypt webhook secrets and second factors with the contents of this file; without it, they are left out
  --json               print {"id", "organizationId", "rows", "files", "bytes", "missingFiles"}

organizations import FILE: adds an exported organization to this installation, which may be running and have other organizations. Both
need the same version. Users with a known email address become members as they are; others are added.

  --key-file PATH      the file that encrypted the secrets
  --without-secrets    import although the export has encrypted secrets and their key file is lost
  --json               print {"id", "name", "slug", "rows", "files", "createdUsers", "knownUsers", "withoutSecrets"}
`

/** Returns whether the words are a command of commands.ts. */
export const isTransferCommand = ([subject, verb]: readonly string[]): boolean =>
  subject === 'organizations' && (verb === 'export' || verb === 'import')
