/**
 * Compares other allocators of DRA devices with that of the newest kube-scheduler, and writes {@code docs/referee.md}: {@code
 * hack/referee}.
 */
package dev.fakegpu.engine.problemfile.referee;
