type FaultMatch = { method?: string; path?: string };

/** How the end of an answer is lost. */
export type Cut = 'length' | 'chunks' | 'gzip';

export type FaultAction =
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string | null>;
			body?: unknown;
			code?: string;
	  }
	| { kind: 'delay'; ms: number }
	| { kind: 'reset' }
	| { kind: 'lostReply' }
	| { kind: 'cutOff'; how: Cut; status?: number }
	| { kind: 'malformed'; body: string; contentType?: string; status?: number }
	| { kind: 'expiredToken' }
	| { kind: 'redirect'; location: string; status?: number }
	| { kind: 'hang' };

export type FaultKind = FaultAction['kind'];

export type FaultRequest = {
	match?: FaultMatch;
	skip?: number;
	times?: number | null;
} & FaultAction;

export type Fault = FaultRequest & { id: string };
