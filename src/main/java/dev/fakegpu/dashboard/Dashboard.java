package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The devices of a cluster, their holders, and what is waiting for devices, as the page shows it. In the JSON form, existing fields keep
 * their meaning and fields may be added; empty lists and texts are omitted.
 *
 * @param nodes sorted by name, with {@code node-2} before {@code node-10}; devices that no node or several nodes can access have a name in
 *     parentheses
 * @param waiting what is waiting, longest first
 */
@JsonPropertyOrder({"overview", "nodes", "waiting"})
public record Dashboard(Overview overview, List<NodeView> nodes, List<WaitingView> waiting) {

    public Dashboard {
        nodes = List.copyOf(nodes);
        waiting = List.copyOf(waiting);
    }

    /**
     * Facts about the whole cluster.
     *
     * @param enforcement what enforces compatibility groups, in one sentence for each allocator and one for the API server
     * @param problems FakeGpus that are rejected or not published, and hardware that nodes offer twice
     * @param notes what could not be read, and the consequences
     */
    @JsonPropertyOrder({"cluster", "enforcement", "problems", "notes"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Overview(String cluster, List<Enforcer> enforcement, List<String> problems, List<String> notes) {
        public Overview {
            enforcement = List.copyOf(enforcement);
            problems = List.copyOf(problems);
            notes = List.copyOf(notes);
        }
    }

    /**
     * A component that enforces or stores compatibility groups.
     *
     * @param summary a few words, such as {@code the companion enforces groups}
     * @param detail the source of this information
     */
    @JsonPropertyOrder({"summary", "detail"})
    public record Enforcer(String summary, String detail) {}

    /**
     * A node.
     *
     * @param state {@code Ready} or {@code NotReady}; empty if it is not a node of the cluster
     * @param simulated whether it has no kubelet
     */
    @JsonPropertyOrder({"name", "state", "simulated", "gpus"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record NodeView(String name, String state, boolean simulated, List<GpuView> gpus) {
        public NodeView {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * A pod, or a claim that no pod uses, that is waiting for devices.
     *
     * @param id {@code kind/namespace/name}
     * @param since the creation time, as in the API
     * @param code the reason, for programs
     * @param sentence the reason as text
     * @param queue its position among those that wait for the same devices
     * @param facts further facts
     * @param inTheWay the claims that hold the devices that it needs
     * @param refused devices that it cannot get, with the reason
     * @param unfit nodes that do not fit, regardless of free devices
     * @param waysOut changes that would help, each tested
     * @param assumed assumptions about its scheduler
     * @param classes the device classes that it requests, as far as its claims exist
     * @param claims for a pod, the ids of its claims
     * @param podGroup for a pod, the name of its PodGroup; empty if it has none
     */
    @JsonPropertyOrder({
        "id",
        "kind",
        "namespace",
        "name",
        "since",
        "code",
        "sentence",
        "queue",
        "facts",
        "inTheWay",
        "refused",
        "unfit",
        "waysOut",
        "assumed",
        "classes",
        "claims",
        "podGroup"
    })
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record WaitingView(
            String id,
            String kind,
            String namespace,
            String name,
            String since,
            String code,
            String sentence,
            String queue,
            List<String> facts,
            List<Holder> inTheWay,
            List<Refused> refused,
            List<Unfit> unfit,
            List<WayOut> waysOut,
            String assumed,
            List<String> classes,
            List<String> claims,
            String podGroup) {
        public WaitingView {
            facts = List.copyOf(facts);
            inTheWay = List.copyOf(inTheWay);
            refused = List.copyOf(refused);
            unfit = List.copyOf(unfit);
            waysOut = List.copyOf(waysOut);
            classes = List.copyOf(classes);
            claims = List.copyOf(claims);
        }
    }

    /** A claim, as {@code namespace/name}, that blocks devices on a node. */
    @JsonPropertyOrder({"claim", "node"})
    public record Holder(String claim, String node) {}

    /** @param devices the number of devices that are refused for the same reason */
    @JsonPropertyOrder({"node", "pool", "device", "devices", "code", "text"})
    public record Refused(String node, String pool, String device, int devices, String code, String text) {}

    /** @param nodes the number of nodes */
    @JsonPropertyOrder({"reason", "nodes", "examples"})
    public record Unfit(String reason, int nodes, List<String> examples) {
        public Unfit {
            examples = List.copyOf(examples);
        }
    }

    /**
     * A change that would help. It can be tried if it is of one of these two kinds.
     *
     * @param releases the claims to be released; empty for other changes
     * @param tolerates the taint to be tolerated, as {@code key=value:effect}; empty for other changes
     */
    @JsonPropertyOrder({"nodes", "text", "releases", "tolerates"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record WayOut(List<String> nodes, String text, List<String> releases, String tolerates) {
        public WayOut {
            nodes = List.copyOf(nodes);
            releases = List.copyOf(releases);
        }
    }
}
