/**
 * What kube-controller-manager makes of objects, in virtual time. {@code ControllerManager} takes the objects that have changed one after another,
 * and asks the controller of their kind; each controller compares what there is with what is wanted, as its model in
 * {@code k8s.io/kubernetes/pkg/controller} does.
 *
 * <ul>
 *   <li>In: a {@code ControlledCluster}, whose changes it hears of.
 *   <li>Out: pods, claims and statuses that are created, changed and deleted in it, the same in every run.
 *   <li>It must never know what schedules pods and what runs them.
 * </ul>
 */
@NullMarked
package dev.fakegpu.simulate.controller;

import org.jspecify.annotations.NullMarked;
