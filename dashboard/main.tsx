import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { keepRouterFromReloading } from './lib/missing-code.ts'
import { createQueryClient } from './lib/query-client.ts'
import { createDashboardRouter } from './router.tsx'
import { Providers } from './shell/providers.tsx'

keepRouterFromReloading()
const queries = createQueryClient()
const router = createDashboardRouter(queries)
const root = document.querySelector('#dashboard')
if (root === null) throw new Error('index.html has no element #dashboard.')

// React draws a transition in short tasks, between which the browser answers the user.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers queries={queries}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  ),
)
