/** The page: connects to the server it came from and draws what it reports. */
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
  // The node says itself when something changed; asking again on focus would only cost.
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

// The first words are in the right language: nothing is said twice.
void followLanguage().finally(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
