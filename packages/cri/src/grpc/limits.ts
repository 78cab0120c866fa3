/**
 * Defines the size of the largest message that is accepted, in bytes. Upstream: maxMsgSize (cri remote client and
 * dockershim's server).
 */
export const maxMessageSize = 16 * 1024 * 1024;
