import { acceptsAllowedBodies } from '../testing/allowed-bodies.ts'

await acceptsAllowedBodies({ bodies: 2000, share: 0.95, timeoutMs: 3_600_000 })
