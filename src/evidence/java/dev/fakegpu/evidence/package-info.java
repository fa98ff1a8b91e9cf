/** Not tests: {@code hack/evidence} runs what KEP-5963 and KEP-5677 say on real Kubernetes components, and writes {@code docs/evidence}. */
@NullMarked
package dev.fakegpu.evidence;

import org.jspecify.annotations.NullMarked;
