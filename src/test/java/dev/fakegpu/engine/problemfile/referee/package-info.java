/** Compares other allocators of DRA devices with kube-scheduler's newest, and writes {@code docs/referee.md}: {@code hack/referee}. */
package dev.fakegpu.engine.problemfile.referee;
