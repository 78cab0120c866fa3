/** Starts the page: connects to its server and renders it. */
import './base/without-eval.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './base/theme/tokens.css';
import './base/theme/contrast.css';
import './base/theme/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followLanguage } from './base/i18n/i18n.ts';
import { isStaticSite } from './base/static-site.ts';
import { offerPageHandle } from './node/page-handle/page-handle.ts';
import { NodeSessionContext } from './node/run/node-session.ts';
import { useOpenNode } from './node/run/open-node.ts';
import { keepForOffline } from './node/standalone/service-worker.ts';
import { App } from './shell/app/App.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');

const queries = new QueryClient({
  // Don't request data again on focus, because the node reports every change itself.
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

offerPageHandle();
if (isStaticSite) void keepForOffline(useOpenNode.getState().home.connection);

function Page() {
  const session = useOpenNode((state) => state.session);
  return (
    <NodeSessionContext value={session}>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </NodeSessionContext>
  );
}

// Render only after the language has loaded, so that screen readers don't read the page twice.
void followLanguage().finally(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
