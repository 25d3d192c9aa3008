import { acceptsAllowedBodies } from '../testing/allowed-bodies.ts'

await acceptsAllowedBodies({ bodies: 132, timeoutMs: 300_000 })
