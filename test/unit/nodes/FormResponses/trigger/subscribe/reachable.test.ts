import { reachability } from '../../../../../../nodes/FormResponses/trigger/subscribe/reachable';

const url = (host: string) => `http://${host}/api/v1`;

test.each(
	[
		['yes', 'forms.example.com', 'n8n.example.com 8.8.8.8 172.32.0.1 [2001:db8::1]'],
		['yes', 'localhost:5800', 'n8n.example.com localhost:5678 192.168.1.5:5678'],
		['yes', '127.0.0.1:5800', 'localhost:5678'],
		['yes', '[::1]:5800', '127.0.0.1:5678'],
		['yes', '192.168.1.7', '192.168.1.5:5678'],
		['yes', 'forms', 'n8n:5678'],
		['yes', 'forms.internal', '10.0.0.5'],
		['doubtful', 'forms.example.com', '10.1.2.3 172.16.0.1 172.31.255.1 192.168.1.5 169.254.1.1'],
		['doubtful', 'forms.example.com', '[fd12::1] [fe80::1] n8n:5678 n8n.local n8n.internal'],
		['doubtful', '8.8.8.8', '192.168.1.5'],
		['no', 'forms.example.com', 'localhost:5678 LOCALHOST:5678 n8n.localhost'],
		['no', 'forms.example.com', '127.0.0.1:5678 127.8.9.1 0.0.0.0:5678 [::1]:5678'],
		['no', '192.168.1.7', 'localhost:5678'],
		['no', 'forms', 'localhost:5678'],
	].flatMap(([answer, service, hosts]) => hosts.split(' ').map((n8n) => [service, n8n, answer])),
)('whether a service at %s may reach n8n at %s: %s', (service, n8n, answer) => {
	expect(reachability(url(service), url(n8n))).toBe(answer);
});
