package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A LeaderWorkerSet: groups of pods, each with a leader and its workers ({@code kubernetes-sigs/lws}). */
@Group("leaderworkerset.x-k8s.io")
@Version("v1")
@Kind("LeaderWorkerSet")
@Plural("leaderworkersets")
public final class LeaderWorkerSet extends CustomResource<LeaderWorkerSetSpec, JsonNode> implements Namespaced {

    private static final long serialVersionUID = 1L;
}
