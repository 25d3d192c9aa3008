import { acceptsAllowedBodies } from '../testing/allowed-bodies.ts'

await acceptsAllowedBodies({ bodies: 2000, timeoutMs: 3_600_000 })
