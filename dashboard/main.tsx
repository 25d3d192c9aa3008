import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './lib/query-client.ts'
import { createDashboardRouter } from './router.tsx'
import { Providers } from './shell/providers.tsx'

const queries = createQueryClient()
const router = createDashboardRouter(queries)
const place = document.querySelector('#dashboard')
if (place === null) throw new Error('index.html has no #dashboard')

createRoot(place).render(
  <StrictMode>
    <Providers queries={queries}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
