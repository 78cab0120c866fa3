/** Lists the DAP capabilities that the adapter reports to clients. */
import { exceptionFilters } from '@podscope/protocol';
import type { DebugProtocol } from '@vscode/debugprotocol';

/** Split the text of each filter at its colon into a label and a description. */
const filters = Object.entries(exceptionFilters).map(([filter, text]): DebugProtocol.ExceptionBreakpointsFilter => {
  const [label = filter, description = text] = text.split(/:\s+(.*)/s);
  return {
    filter,
    label,
    description,
    supportsCondition: true,
    conditionDescription: 'CEL over the variables of the stop',
  };
});

export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsExceptionFilterOptions: true,
  exceptionBreakpointFilters: filters,
  supportsExceptionInfoRequest: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsRestartRequest: true,
  supportsRestartFrame: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsLoadedSourcesRequest: true,
  supportsDelayedStackTraceLoading: true,
  supportsSingleThreadExecutionRequests: true,
  supportsTerminateRequest: true,
};
