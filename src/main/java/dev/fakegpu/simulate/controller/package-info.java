/**
 * The controllers of kube-controller-manager, in virtual time. {@code ControllerManager} processes the changed objects one after another
 * with the controller of their kind. Each controller compares the actual with the desired state, like its model in
 * {@code k8s.io/kubernetes/pkg/controller}.
 *
 * <ul>
 *   <li>In: a {@code ControlledCluster}, which reports its changes.
 *   <li>Out: pods, claims and statuses that are created, changed and deleted in it, the same in every run.
 *   <li>This package must never know what schedules pods and what runs them.
 * </ul>
 */
@NullMarked
package dev.fakegpu.simulate.controller;

import org.jspecify.annotations.NullMarked;
